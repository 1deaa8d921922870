-- Encrypted contents can't be compressed. Months that were created after 0041 tried to compress them all the same.
alter table email_contents alter column encrypted set storage external;

-- Rows with smaller ids were deleted by the last reset. Months that were detached before it are archived without them.
alter table projects add column reset_before_id uuid;
