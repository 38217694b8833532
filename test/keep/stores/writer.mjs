// One process that writes a store of the state folder: keeps the named things one after the other, and tells each when
// it is kept. `take` tells what it got of a file that the first one makes.
import { firstComes, stores } from "./stores.mjs";

const [name, home, ...things] = process.argv.slice(2);
const tell = (line) => process.stdout.write(`${line}\n`);
const store = stores.find((each) => each.name === name);
if (store === undefined) {
  tell(await firstComes.find((each) => each.name === name).take(home));
} else {
  const keep = await store.keeper(home);
  for (const thing of things) {
    await keep(thing);
    tell(thing);
  }
}
