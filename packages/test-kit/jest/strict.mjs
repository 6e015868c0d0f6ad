import { format } from 'node:util';

/** Deprecation codes of dependencies that cannot be fixed here, with the reason. */
const ACCEPTED_DEPRECATIONS = {};

const isUnacceptedDeprecation = ({ name, code }) =>
  name === 'DeprecationWarning' && !Object.hasOwn(ACCEPTED_DEPRECATIONS, code);

/**
 * Extends a Jest environment so that a test fails if Node reports a deprecation while it runs, or if anything is
 * written to console.error or console.warn, such as React's warnings about act(). Outside tests, this fails the suite.
 */
export const strict = (Environment) =>
  class extends Environment {
    #console;
    #errors = [];
    #onWarning = (warning) => {
      if (isUnacceptedDeprecation(warning)) this.#errors.push(warning);
    };

    constructor(config, context) {
      super(config, context);
      this.#console = context.console;
    }

    async setup() {
      await super.setup();
      for (const method of ['error', 'warn'])
        this.#console[method] = (...args) => {
          this.#errors.push(new Error(`console.${method}: ${format(...args)}`));
        };
      process.on('warning', this.#onWarning);
    }

    async handleTestEvent(event, state) {
      await super.handleTestEvent?.(event, state);
      if (event.name === 'test_done') event.test.errors.push(...this.#errors.splice(0));
      if (event.name === 'run_finish') state.unhandledErrors.push(...this.#errors.splice(0));
    }

    async teardown() {
      process.off('warning', this.#onWarning);
      await super.teardown();
    }
  };
