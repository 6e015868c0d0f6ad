import { firefox, webkit } from './tests/browser/setup/installed.mjs';

// `--experimental-vm-modules` enables ES modules; swc only strips types, which `tsc` checks separately.
const swc = {
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
  },
};

const base = {
  rootDir: import.meta.dirname,
  // The cache cannot be in the temporary folder, because every run of `npm test` replaces that folder.
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

// Saves logs and screenshots of failed tests in `output/failures/`.
const withArtifacts = '<rootDir>/packages/test-kit/jest/artifact-environment.mjs';

// Excludes suites of browsers that are not installed. setup/choose-browser.mjs reports them.
const notInstalled = [!firefox() && '/browser/firefox\\.test', !webkit() && '/browser/webkit\\.test'].filter(Boolean);

/**
 * Suites that take minutes, because most of them start Atrium and a browser. CI omits them to finish in time on slower
 * machines; `npm test` runs them everywhere else.
 */
const SLOW = [
  'services/documents/src/extraction/text-extractor\\.fuzz',
  'services/notifications/test/mail-server-outage\\.api',
  'tools/new-service/make-service',
  'tests/chaos/(dependency-outages|killed-services|random-chat|random-lists)',
  'tests/browser/(calendar|calendar-feed|channels|chat-files|documents|document-search|locales|meetings|mentions)',
  'tests/browser/(offline|people|planning|previews|project-page|projects|reactions|screens|texts|uploads|accounts)',
  'tests/browser/(search-messages|after-the-meeting|chat-positions|chat-scrolling|messaging-day|message-tasks)',
  'tests/browser/(composing|drafts|notifications|polls-and-forwarding)',
  'tests/browser/(member-groups|voice-and-emoji|charts|emails|my-work|search|statistics|timeline-and-health)',
];
const excluded = process.env.CI === 'true' ? SLOW.map((suite) => `<rootDir>/${suite}\\.test\\.ts$`) : [];

const at = (...patterns) => patterns.map((pattern) => `<rootDir>/${pattern}`);

export default {
  // Only detects tests that hang: they wait for conditions, on machines of very different speeds.
  testTimeout: 600_000,
  // Workers retain the modules of finished suites, and garbage collection of gigabytes takes seconds.
  workerIdleMemoryLimit: '1GB',
  projects: [
    {
      ...base,
      displayName: 'unit',
      testPathIgnorePatterns: [...base.testPathIgnorePatterns, '\\.system\\.test\\.ts$', ...excluded],
      testEnvironment: '<rootDir>/packages/test-kit/jest/node-environment.mjs',
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
      testEnvironment: '<rootDir>/packages/test-kit/jest/jsdom-environment.mjs',
      setupFiles: ['<rootDir>/web/test/browser-gaps.ts', '<rootDir>/web/test/setup-timeouts.ts'],
      testMatch: at('web/**/*.test.{ts,tsx}'),
    },
    {
      ...base,
      ...withServers,
      displayName: 'api',
      testPathIgnorePatterns: [...base.testPathIgnorePatterns, ...excluded],
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
      testPathIgnorePatterns: [...base.testPathIgnorePatterns, ...excluded],
      testEnvironment: withArtifacts,
      testMatch: at(
        'tests/{flows,chaos,live,security,upgrade}/**/*.test.ts',
        'packages/dev-server/**/*.system.test.ts',
      ),
    },
    {
      ...base,
      globalSetup: '<rootDir>/tests/browser/setup/choose-browser.mjs',
      displayName: 'browser',
      testPathIgnorePatterns: [...base.testPathIgnorePatterns, ...notInstalled, ...excluded],
      testEnvironment: withArtifacts,
      testMatch: at('tests/browser/*.test.ts'),
    },
  ],
};
