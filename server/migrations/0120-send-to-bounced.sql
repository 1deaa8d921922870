-- Whether email is sent to addresses that are suppressed because of a permanent bounce.
alter table projects add column send_to_bounced boolean not null default false;
