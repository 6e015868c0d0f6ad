-- Up Migration

-- `uncertain`: the mail server did not say whether it accepted the email.
alter table invitations drop constraint invitations_delivery_check;
alter table invitations add constraint invitations_delivery_check
  check (delivery in ('queued', 'sent', 'failed', 'uncertain'));

-- Down Migration

update invitations set delivery = 'failed' where delivery = 'uncertain';
alter table invitations drop constraint invitations_delivery_check;
alter table invitations add constraint invitations_delivery_check check (delivery in ('queued', 'sent', 'failed'));
