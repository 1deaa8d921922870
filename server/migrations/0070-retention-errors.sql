-- Why a detached month was not archived in the last run. The operator sees it on the installation page.
alter table retired_tables add column error text;
