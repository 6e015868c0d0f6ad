/** The Atrium version of the root package.json, which is outside this project's rootDir; a test compares them. */
export const VERSION = '0.9.0';
