import { endpoint } from '../../endpoint.ts';
import { noticeSettings, updateNoticesBody } from '../../notices/settings.ts';

export const getNotices = endpoint({
  method: 'GET',
  path: '/users/profile/notices',
  summary: 'Get your settings of notifications: channels for each kind, digests, quiet hours, and a pause',
  access: 'user',
  response: noticeSettings,
  status: 200,
});

export const updateNotices = endpoint({
  method: 'PATCH',
  path: '/users/profile/notices',
  summary: 'Change your settings of notifications',
  access: 'user',
  body: updateNoticesBody,
  response: noticeSettings,
  status: 200,
  errors: ['stale_version'],
});
