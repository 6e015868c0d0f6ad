import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { notFound } from '@atrium/service-kit/errors/app-error';
import { type RequestHandler, Router } from 'express';

const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Atrium API</title>
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/api/docs/favicon-32x32.png">
  </head>
  <body>
    <div id="docs"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`;

/** Served as a separate file, because the content security policy forbids inline scripts. */
const START_SCRIPT = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#docs', deepLinking: true });\n`;

export function docsPage(): RequestHandler {
  const router = Router();
  router.get('/', (_req, res) => {
    res.type('html').send(PAGE);
  });
  router.get('/start.js', (_req, res) => {
    res.type('text/javascript').send(START_SCRIPT);
  });
  router.get('/:file', async (req, res) => {
    const type = Object.hasOwn(FILES, req.params.file) ? FILES[req.params.file] : undefined;
    if (type === undefined) throw notFound();
    res.setHeader('Cache-Control', 'public, max-age=3600');
    res.type(type).send(await readFile(join(swaggerUiFolder(), req.params.file)));
  });
  return router;
}

/** Resolved on first use: images without the docs page can still run the gateway. */
function swaggerUiFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}
