import { TestEnvironment } from 'jest-environment-node';
import { deleteStreams } from '../src/delete-streams.ts';
import { strict } from './strict.mjs';

const STREAMS = Symbol.for('atrium.streams');

/** Deletes the streams of a suite when it ends, because thousands of them would slow down the shared NATS server. */
export default class CleaningEnvironment extends strict(TestEnvironment) {
  async teardown() {
    await Promise.all((this.global[STREAMS] ?? []).map(deleteStreams));
    await super.teardown();
  }
}
