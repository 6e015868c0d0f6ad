import { reading } from './current-message-source.ts';
import { createWindows } from './windows.ts';

export const windows = createWindows(reading);

export const { jumpTo, jumpToLatest, loadOlder, loadNewer } = windows;
