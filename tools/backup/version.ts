/** The version of Atrium, as in the root package.json: a test compares them, because that file is outside of this project's rootDir. */
export const VERSION = '0.9.0';
