-- Which messages carried an invoice, a credit note or a receipt: a document says when it was sent last, and waits for one message at a time. See decision 0172.
create index messages_document on messages (org_id, (audience ->> 'documentId')) where audience ->> 'documentId' is not null;
