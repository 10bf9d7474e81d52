module.exports = { globalSetup: "stagedoor/jest", testTimeout: 120_000 };
