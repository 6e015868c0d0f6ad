/**
 * Number of characters of a text as JSON Schema counts them (RFC 8259): an emoji is one, though its `length` is two.
 */
export const countChars = (text: string): number => [...text].length;
