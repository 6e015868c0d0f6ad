import { firefox, webkit } from './tests/browser/setup/installed.mjs';

// Jest runs ES modules by `--experimental-vm-modules`; TypeScript is only stripped, `tsc` checks it elsewhere.
const swc = {
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
  },
};

const base = {
  rootDir: import.meta.dirname,
  // Of this checkout alone, and not in the folder for passing files, which each run of `npm test` has for itself.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '^.+\\.tsx?$': ['@swc/jest', swc] },
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/\\.tsbuild/', '/\\.atrium/'],
  modulePathIgnorePatterns: ['/\\.atrium/', '/\\.tsbuild/', '/output/'],
};

const withServers = {
  globalSetup: '<rootDir>/packages/test-kit/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/packages/test-kit/jest/global-teardown.mjs',
};

// What failed there is understood by logs and pictures, which it leaves in `output/failures/`.
const keeping = '<rootDir>/packages/test-kit/jest/artifact-environment.mjs';

// Suites of browsers that are not on this machine; setup/choose-browser.mjs says so in words.
const notHere = [!firefox() && '/browser/firefox\\.test', !webkit() && '/browser/webkit\\.test'].filter(Boolean);

/**
 * Suites of minutes each, most of which start a whole Atrium and a browser. CI leaves them out, so that it ends in time on a machine that
 * is three times slower; `npm test` elsewhere runs them.
 */
const SLOW = [
  'tools/new-service/make-service',
  'tests/chaos/(dependency-outages|killed-services|random-chat)',
  'tests/browser/(calendar|calendar-feed|chat-files|documents|document-search|locales|meetings|offline|people)',
  'tests/browser/(planning|previews|project-page|projects|screens|texts|uploads|accounts|after-the-meeting|chat-positions)',
];
const leftOut = process.env.CI === 'true' ? SLOW.map((suite) => `<rootDir>/${suite}\\.test\\.ts$`) : [];

const at = (...patterns) => patterns.map((pattern) => `<rootDir>/${pattern}`);

export default {
  // Generous, because machines are slow and shared: what a test waits for is a condition, and only a test that fails waits long.
  testTimeout: 180_000,
  // Modules of the suites that have run stay in a worker, whose collections take seconds once it has gigabytes.
  workerIdleMemoryLimit: '1GB',
  projects: [
    {
      ...base,
      displayName: 'unit',
      testPathIgnorePatterns: [...base.testPathIgnorePatterns, '\\.system\\.test\\.ts$', ...leftOut],
      testEnvironment: 'node',
      testMatch: at(
        'proto-events/**/*.test.ts',
        '{packages,services}/*/src/**/*.test.ts',
        'gateway/src/**/*.test.ts',
        'tests/{cluster,contracts,deploy,simulation,browser/setup}/**/*.test.ts',
        '{deploy,tools,packages/dev-server}/**/*.test.ts',
      ),
    },
    {
      ...base,
      displayName: 'web',
      testEnvironment: 'jest-fixed-jsdom',
      testMatch: at('web/**/*.test.{ts,tsx}'),
    },
    {
      ...base,
      ...withServers,
      displayName: 'api',
      testEnvironment: '<rootDir>/packages/test-kit/jest/cleaning-environment.mjs',
      testMatch: at(
        '{packages,services}/*/test/**/*.test.ts',
        'gateway/test/**/*.test.ts',
        'tests/{backup,calendars}/**/*.test.ts',
      ),
    },
    {
      ...base,
      displayName: 'system',
      testPathIgnorePatterns: [...base.testPathIgnorePatterns, ...leftOut],
      testEnvironment: keeping,
      testMatch: at('tests/{flows,chaos,security,upgrade}/**/*.test.ts', 'packages/dev-server/**/*.system.test.ts'),
    },
    {
      ...base,
      globalSetup: '<rootDir>/tests/browser/setup/choose-browser.mjs',
      displayName: 'browser',
      testPathIgnorePatterns: [...base.testPathIgnorePatterns, ...notHere, ...leftOut],
      testEnvironment: keeping,
      testMatch: at('tests/browser/*.test.ts'),
    },
  ],
};
