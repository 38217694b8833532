/**
 * The rooms whose code is changed bit by bit, and the tests that have to notice. Only tests that need no process, socket
 * or wait: each is run once for every change of what it covers.
 */
export const rooms = {
  policy: { mutate: ["policy/**/*.ts"], tests: ["test/policy/**/*.test.ts"] },
  protocol: { mutate: ["protocol/**/*.ts"], tests: ["test/protocol/**/*.test.ts"] },
  tools: { mutate: ["tools/**/*.ts", "hiddenText.ts"], tests: ["test/tools/**/*.test.ts"] },
  rpc: { mutate: ["rpc/**/*.ts"], tests: ["test/rpc/**/*.test.ts"] },
  machines: {
    mutate: ["machines/**/*.ts"],
    tests: ["test/machines/{replacing,server,supervisor,timing}.test.ts"],
  },
};
