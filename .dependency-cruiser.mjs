// The one-way streets of docs/architecture.md: proto-events <- packages <- services, gateway; proto-events <- web.
// An import of a type counts as any other, for circles, too.
const from = (path, pathNot) => ({ path, ...(pathNot ? { pathNot } : {}) });
export default {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'proto-events-depends-on-zod-alone',
      severity: 'error',
      from: from('^proto-events/src'),
      to: { pathNot: '^(proto-events/src|node_modules/zod)' },
    },
    {
      name: 'packages-know-no-service',
      severity: 'error',
      from: from('^packages'),
      to: { path: '^(services|gateway|web|tests)/' },
    },
    {
      name: 'no-service-imports-another',
      severity: 'error',
      from: from('^services/([^/]+)/'),
      to: { path: '^services/([^/]+)/', pathNot: '^services/$1/' },
    },
    {
      name: 'services-know-no-gateway-or-web',
      severity: 'error',
      from: from('^services/'),
      to: { path: '^(gateway|web|deploy|tools|tests|packages/dev-server)/' },
    },
    {
      name: 'gateway-knows-no-service',
      severity: 'error',
      from: from('^gateway/'),
      to: { path: '^(services|web|tests|packages/dev-server)/' },
    },
    {
      name: 'web-knows-contracts-only',
      severity: 'error',
      from: from('^web/src'),
      to: { path: '^(packages|services|gateway|deploy|tools|tests)/' },
    },
    // The floors of the web app: lib <- ui, realtime <- entities <- features <- app. A part of ui shows what it is given, realtime shows nothing.
    {
      name: 'web-lib-stands-on-nothing',
      severity: 'error',
      from: from('^web/src/lib/'),
      to: { path: '^web/src/(?!lib/)' },
    },
    {
      name: 'web-ui-and-realtime-stand-on-lib',
      severity: 'error',
      from: from('^web/src/(ui|realtime)/'),
      to: { path: '^web/src/(?!lib/)', pathNot: '^web/src/$1/' },
    },
    {
      name: 'web-lib-and-ui-know-no-domain-thing',
      severity: 'error',
      // Who is signed in is a person of the contract.
      from: from('^web/src/(ui|lib)/', '^web/src/lib/session/|\\.test\\.tsx?$'),
      to: { path: '^proto-events/src/', pathNot: '^proto-events/src/(endpoint|errors|text-length|text/[a-z-]+)\\.ts$' },
    },
    {
      name: 'web-entities-know-no-feature',
      severity: 'error',
      from: from('^web/src/entities/'),
      to: { path: '^web/src/(features|app)/' },
    },
    {
      name: 'web-reads-through-entities',
      severity: 'error',
      // One place for each key, so that screens which show the same share one answer.
      from: from('^web/src/(features|app)/', '\\.test\\.tsx?$'),
      to: { path: '^web/src/lib/query/(keys|use-read|use-infinite-pages)\\.ts$' },
    },
    {
      name: 'a-feature-never-imports-a-feature',
      severity: 'error',
      from: from('^web/src/features/([^/]+)/'),
      to: { path: '^web/src/features/([^/]+)/', pathNot: '^web/src/features/$1/' },
    },
    {
      name: 'features-know-no-app',
      severity: 'error',
      from: from('^web/src/features/'),
      to: { path: '^web/src/app/' },
    },
    {
      name: 'suites-start-a-system-that-must-end-well',
      severity: 'error',
      from: from('^tests/(flows|chaos|security|upgrade|backup|browser)/'),
      to: { path: '^packages/dev-server/system/start-system' },
    },
    {
      name: 'test-kit-stays-in-tests',
      severity: 'error',
      from: from('/src/', '\\.test\\.tsx?$|^packages/test-kit'),
      to: { path: '^packages/test-kit' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.tsbuild|^(?!node_modules/).*/dist/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types'] },
  },
};
