// No two folders of source code import each other, directly or through others. Tests can import anything.
import base from './.dependency-cruiser.mjs';

export default {
  forbidden: [
    {
      name: 'folders-must-not-import-each-other',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    ...base.options,
    exclude: { path: [base.options.exclude.path, '\\.(test|fixture)\\.tsx?$', '/test/', '^packages/test-kit/'] },
  },
};
