import { describe, expect, it } from '@jest/globals';
import { findUnfilteredSelectors, findUnscoped } from '../flows/monitoring/find-cross-talk.ts';
import { readAlerts, readPanels, readVariables } from '../flows/monitoring/queries.ts';

describe('several installations in one Prometheus', () => {
  it('are distinguished by every alert', () => {
    const alerts = readAlerts();
    expect(alerts.length).toBeGreaterThan(20);
    expect(alerts.flatMap(({ alert, expr }) => findUnscoped(expr).map((part) => `${alert}: ${part}`))).toEqual([]);
  });

  it.each([
    ['max(emails_queued) > 0', 'max(emails_queued)'],
    ['sum by (service) (up) and up', 'sum by (service) (up)'],
    ['sum without (namespace) (up)', 'sum without (namespace) (up)'],
    ['up unless on (service) sum by (namespace, service) (up)', 'on (service)'],
  ])('would be mixed up by the query %s', (query, part) => {
    expect(findUnscoped(query)).toEqual([part]);
  });

  it('can be selected in every dashboard, and every panel shows the selected one', () => {
    for (const names of readVariables()) expect(names).toEqual(['datasource', 'namespace']);
    const panels = readPanels();
    expect(panels.length).toBeGreaterThan(30);
    expect(
      panels.flatMap(({ panel, expr }) => findUnfilteredSelectors(expr).map((part) => `${panel}: ${part}`)),
    ).toEqual([]);
    expect(findUnfilteredSelectors('sum(up{service="auth"}) / up{namespace=~"$namespace"}')).toEqual([
      'up{service="auth"}',
    ]);
  });
});
