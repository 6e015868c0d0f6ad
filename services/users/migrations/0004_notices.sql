-- Emails about tasks became three of many settings of notifications.
update users
set version = version + 1, preferences = preferences - 'taskEmails' || case
  when preferences -> 'taskEmails' = 'false' then jsonb_build_object('notices', jsonb_build_object('channels', jsonb_build_object(
    'task_assigned', '{"app": true, "push": true, "email": "off"}'::jsonb,
    'mention', '{"app": true, "push": true, "email": "off"}'::jsonb,
    'task_comment', '{"app": true, "push": true, "email": "off"}'::jsonb,
    'task_changed', '{"app": true, "push": false, "email": "off"}'::jsonb
  )))
  else '{}'::jsonb
end
where preferences ? 'taskEmails';
