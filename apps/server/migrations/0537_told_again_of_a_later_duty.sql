-- A duty that is due later than its member was told of is told of again: the row is written over in the transaction that sends.
grant update (told_at) on duty_start_notices to app_user;
