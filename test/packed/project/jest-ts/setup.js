const { createSetup } = require("stagedoor/jest");

module.exports = createSetup({ world: { apps: [{ appId: "shop" }] } });
