/** Version of the package. A constant, so that a bundle needs no package.json beside it; a test holds both together. */
export const version = "0.1.0";
