// Under `npm run mutants` each property is tried with fewer values: what it notices, it notices with these.
import { configureGlobal } from "fast-check";

configureGlobal({ numRuns: 25 });
