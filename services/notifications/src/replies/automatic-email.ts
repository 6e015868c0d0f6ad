type Header = { key: string; value: string };

const AUTOMATIC_PRECEDENCE = /^\s*(?:bulk|junk|list|auto_reply)\b/i;
/** Of emails that must not be returned (RFC 5321, section 4.5.5). */
const EMPTY_PATHS = ['', '<>'];
/** Of auto-replies that do not follow RFC 3834. */
const AUTOMATIC_HEADERS = new Set(['x-autoreply', 'x-autorespond', 'x-auto-reply']);

/**
 * Whether a program sent the email: an auto-reply (RFC 3834, section 5), a bounce, or a receipt (RFC 6522), which have
 * no sender to return them to.
 */
export const isAutomatic = (headers: readonly Header[]): boolean =>
  headers.some(({ key, value }) => {
    if (key === 'auto-submitted') return !/^\s*no\b/i.test(value);
    if (key === 'precedence') return AUTOMATIC_PRECEDENCE.test(value);
    if (key === 'return-path') return EMPTY_PATHS.includes(value.trim());
    if (key === 'content-type') return /^\s*multipart\/report\b/i.test(value);
    return AUTOMATIC_HEADERS.has(key) && !/^\s*no\b/i.test(value);
  });
