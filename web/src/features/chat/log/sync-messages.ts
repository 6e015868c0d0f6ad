import { reading } from './current-message-source.ts';
import { windows } from './read-window.ts';
import { createSync } from './sync.ts';

export const { catchUp, catchUpChanges, syncAll } = createSync(reading, windows);
