/** Parses a seed that a visitor types. */

/** @param {string} text @returns {number | undefined} undefined if the text is not a seed */
export function seedOf(text) {
  const digits = text.trim();
  return /^\d{1,16}$/.test(digits) && Number.isSafeInteger(Number(digits)) ? Number(digits) : undefined;
}

/** @param {string} text */
export const seedRefusal = (text) =>
  `The seed “${text.trim()}” must be a whole number from 0 to 9,007,199,254,740,991.`;
