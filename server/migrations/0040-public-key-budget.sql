-- Requests with the public key have a budget of their own, beside those of secret keys and of sessions.
alter table rate_windows drop constraint rate_windows_budget_check;
alter table rate_windows add constraint rate_windows_budget_check check (budget in ('keys', 'public', 'sessions'));
