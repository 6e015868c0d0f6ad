import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ALL_ENDPOINTS } from '../src/all-endpoints.ts';
import { STATUS_OF } from '../src/errors.ts';

const cases = ALL_ENDPOINTS.map(({ service, name, endpoint }) => [`${service}.${name}`, endpoint] as const);

describe('every endpoint', () => {
  it('has a unique method and path, regardless of parameter names', () => {
    const calls = cases.map(([, { method, path }]) => `${method} ${path.replaceAll(/:\w+/g, ':')}`);
    expect(new Set(calls).size).toBe(calls.length);
  });

  it.each(cases)('declares exactly the parameters of its path: %s', (_name, { path, params }) => {
    const pathParameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name).sort();
    const declaredParameters = params instanceof z.ZodObject ? Object.keys(params.shape).sort() : [];
    expect(declaredParameters).toEqual(pathParameters);
  });

  it.each(cases)('has a response schema exactly if its status is 200 or 201: %s', (_name, { status, response }) => {
    expect(response !== undefined).toBe(status === 200 || status === 201);
  });

  it.each(cases)('declares its own errors once, and only known ones: %s', (_name, { errors = [] }) => {
    expect(new Set(errors).size).toBe(errors.length);
    for (const code of errors) expect(Object.keys(STATUS_OF)).toContain(code);
  });
});
