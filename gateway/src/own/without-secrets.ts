import { withoutAddresses } from '@atrium/service-kit/observe/describe-error';

/** What stands behind the path of an address, whatever is in the path: a link that somebody was mailed lets in whoever has it. */
const BEHIND_PATH = /[?#][^\s)"'=]*=[^\s)"']*/g;

/** What a browser says of its fault, without what names or lets in somebody (docs/decisions/0027). */
export const withoutSecrets = (text: string): string => withoutAddresses(text.replaceAll(BEHIND_PATH, ''));
