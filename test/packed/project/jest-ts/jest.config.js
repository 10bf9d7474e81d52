module.exports = { preset: "ts-jest", globalSetup: "./setup.js", testTimeout: 120_000 };
