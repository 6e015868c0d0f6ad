import { TestEnvironment } from 'jest-environment-node';
import { deleteStreams } from '../src/delete-streams.ts';
import { strict } from './strict.mjs';

/** Where `testNats` records what it created; see `src/backing-servers.ts`. */
const STREAMS = Symbol.for('atrium.streams');

/**
 * A Node environment that deletes the streams of a suite at its end: thousands of them would slow down the shared
 * NATS server.
 */
export default class CleaningEnvironment extends strict(TestEnvironment) {
  async teardown() {
    await Promise.all((this.global[STREAMS] ?? []).map(deleteStreams));
    await super.teardown();
  }
}
