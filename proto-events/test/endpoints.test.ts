import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ALL_ENDPOINTS } from '../src/all-endpoints.ts';
import { STATUS_OF } from '../src/errors.ts';

const cases = ALL_ENDPOINTS.map(({ service, name, endpoint }) => [`${service}.${name}`, endpoint] as const);

describe('every call', () => {
  it('has a method and path of its own, whatever its parameters are called', () => {
    const seen = cases.map(([, { method, path }]) => `${method} ${path.replaceAll(/:\w+/g, ':')}`);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it.each(cases)('declares the parameters of its path, and no others: %s', (_name, { path, params }) => {
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name).sort();
    const declared = params instanceof z.ZodObject ? Object.keys(params.shape).sort() : [];
    expect(declared).toEqual(inPath);
  });

  it.each(cases)('answers a body where its status has one: %s', (_name, { status, response }) => {
    expect(response !== undefined).toBe(status === 200 || status === 201);
  });

  it.each(cases)('declares its own refusals once, and only known ones: %s', (_name, { errors = [] }) => {
    expect(new Set(errors).size).toBe(errors.length);
    for (const code of errors) expect(Object.keys(STATUS_OF)).toContain(code);
  });
});
