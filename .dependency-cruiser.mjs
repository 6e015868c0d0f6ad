// The import rules of docs/architecture.md: proto-events <- packages <- services, gateway; proto-events <- web. They
// include type-only imports, even in cycles.
const from = (path, pathNot) => ({ path, ...(pathNot ? { pathNot } : {}) });
export default {
  forbidden: [
    { name: 'no-circular-imports', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'proto-events-only-depends-on-zod',
      severity: 'error',
      from: from('^proto-events/src'),
      to: { pathNot: '^(proto-events/src|node_modules/zod)' },
    },
    {
      name: 'packages-must-not-import-services',
      severity: 'error',
      from: from('^packages'),
      to: { path: '^(services|gateway|web|tests)/' },
    },
    // The layers are listed from the lowest to the highest.
    ...['(errors|config)', 'observability', 'process', 'postgres', 'messaging', 'directory', 'http'].map(
      (layer, index, layers) => ({
        name: 'service-kit-layers',
        severity: 'error',
        from: from(`^packages/service-kit/src/${layer}/`, '\\.test\\.ts$'),
        to: {
          path: '^packages/service-kit/src/',
          pathNot: `^packages/service-kit/src/(${layers.slice(0, index + 1).join('|')})/`,
        },
      }),
    ),
    {
      name: 'services-must-not-import-each-other',
      severity: 'error',
      from: from('^services/([^/]+)/'),
      to: { path: '^services/([^/]+)/', pathNot: '^services/$1/' },
    },
    {
      name: 'services-must-not-import-gateway-or-web',
      severity: 'error',
      from: from('^services/'),
      to: { path: '^(gateway|web|deploy|tools|tests|packages/dev-server)/' },
    },
    {
      name: 'gateway-must-not-import-services',
      severity: 'error',
      from: from('^gateway/'),
      to: { path: '^(services|web|tests|packages/dev-server)/' },
    },
    {
      name: 'web-only-imports-proto-events',
      severity: 'error',
      from: from('^web/src'),
      to: { path: '^(packages|services|gateway|deploy|tools|tests)/' },
    },
    {
      name: 'web-does-not-import-live-update-mappings',
      severity: 'error',
      // The mappings import all event schemas, which browsers do not need.
      from: from('^web/src'),
      to: { path: '^proto-events/src/live-updates/', pathNot: '/topics\\.ts$' },
    },
    // The layers of the web app: lib <- ui, realtime <- entities <- features <- app. Components of ui get all data as
    // props, and realtime renders nothing.
    {
      name: 'web-lib-only-imports-lib',
      severity: 'error',
      from: from('^web/src/lib/'),
      to: { path: '^web/src/(?!lib/)' },
    },
    {
      name: 'web-ui-and-realtime-only-import-lib',
      severity: 'error',
      from: from('^web/src/(ui|realtime)/'),
      to: { path: '^web/src/(?!lib/)', pathNot: '^web/src/$1/' },
    },
    {
      name: 'web-lib-and-ui-are-domain-free',
      severity: 'error',
      // The signed-in user has the type of the contract.
      from: from('^web/src/(ui|lib)/', '^web/src/lib/session/|\\.test\\.tsx?$'),
      to: {
        path: '^proto-events/src/',
        pathNot: '^proto-events/src/(endpoint|errors|insert-people|text-length|text/[a-z-]+)\\.ts$',
      },
    },
    {
      name: 'web-entities-must-not-import-features',
      severity: 'error',
      from: from('^web/src/entities/'),
      to: { path: '^web/src/(features|app)/' },
    },
    {
      name: 'web-queries-are-in-entities',
      severity: 'error',
      // Each query key is defined once, so that screens with the same data share one response.
      from: from('^web/src/(features|app)/', '\\.test\\.tsx?$'),
      to: { path: '^web/src/lib/query/(use-read|use-infinite-pages)\\.ts$' },
    },
    {
      name: 'features-must-not-import-each-other',
      severity: 'error',
      from: from('^web/src/features/([^/]+)/'),
      to: { path: '^web/src/features/([^/]+)/', pathNot: '^web/src/features/$1/' },
    },
    {
      name: 'features-must-not-import-app',
      severity: 'error',
      from: from('^web/src/features/'),
      to: { path: '^web/src/app/' },
    },
    {
      name: 'suites-use-watched-systems',
      severity: 'error',
      from: from('^tests/(flows|chaos|security|upgrade|backup|browser)/'),
      to: { path: '^packages/dev-server/system/start-system' },
    },
    {
      name: 'test-kit-only-in-tests',
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
