-- Failed sign-ins are counted by address and client network. Confirmations inside a session, codes and other requests that
-- anyone can make are counted apart.
alter table login_failures
  add column kind text not null default 'password',
  add column network text not null default '';
create index login_failures_network on login_failures (network, failed_at);
