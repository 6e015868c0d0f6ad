import { Agent } from 'node:http';
import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';

/** Baseline for the gateway: Express with the proxy library that the gateway uses, and nothing else. */
const app = express();
app.disable('x-powered-by');
app.use(
  createProxyMiddleware({
    target: process.env.TARGET ?? '',
    agent: new Agent({ keepAlive: true, maxFreeSockets: 128 }),
    ejectPlugins: true,
  }),
);

app.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.('ready'));
