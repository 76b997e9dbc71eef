import base from './playwright.config.mjs';
export default { ...base, timeout: 45_000, expect: { timeout: 7_000 }, use: { ...base.use, actionTimeout: 7_000 } };
