/** The door for `mcpvisor doctor`: what the engine can tell about this machine without starting anything. */
export { childEnvironment } from "./policy/environment.js";
export { doctorFacts } from "./process/doctor.js";
export type { DoctorFacts, MarkedProcess } from "./process/doctor.js";
export { which } from "./process/which.js";
