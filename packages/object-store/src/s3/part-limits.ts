/** Size of a part of a file that comes in one call: the smallest that S3 takes, as each upload under way holds two in memory. */
export const PART_BYTES = 5 * 1024 * 1024;
/** How many parts S3 takes for one object. */
export const MAX_PARTS = 10_000;
