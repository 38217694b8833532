// Under `npm run mutants` each property is tried with fewer values: what it notices, it notices with these.
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 25 });
