import { describe, expect, it } from '@jest/globals';
import { findMixing, findUnchosen } from '../flows/monitoring/find-cross-talk.ts';
import { readAlerts, readPanels, readVariables } from '../flows/monitoring/queries.ts';

describe('several installations in one Prometheus', () => {
  it('are told apart by each alert', () => {
    const alerts = readAlerts();
    expect(alerts.length).toBeGreaterThan(20);
    expect(alerts.flatMap(({ alert, expr }) => findMixing(expr).map((part) => `${alert}: ${part}`))).toEqual([]);
  });

  it.each([
    ['max(emails_queued) > 0', 'max(emails_queued)'],
    ['sum by (service) (up) and up', 'sum by (service) (up)'],
    ['sum without (namespace) (up)', 'sum without (namespace) (up)'],
    ['up unless on (service) sum by (namespace, service) (up)', 'on (service)'],
  ])('would be mixed by %s', (query, part) => {
    expect(findMixing(query)).toEqual([part]);
  });

  it('are chosen among in each dashboard, and each panel shows the chosen one', () => {
    for (const names of readVariables()) expect(names).toEqual(['datasource', 'namespace']);
    const panels = readPanels();
    expect(panels.length).toBeGreaterThan(30);
    expect(panels.flatMap(({ place, expr }) => findUnchosen(expr).map((part) => `${place}: ${part}`))).toEqual([]);
    expect(findUnchosen('sum(up{service="auth"}) / up{namespace=~"$namespace"}')).toEqual(['up{service="auth"}']);
  });
});
