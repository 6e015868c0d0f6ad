/** Part size of a streamed upload: the S3 minimum, since each upload in flight holds two in memory. */
export const PART_BYTES = 5 * 1024 * 1024;
/** Maximum number of parts of an S3 object. */
export const MAX_PARTS = 10_000;
