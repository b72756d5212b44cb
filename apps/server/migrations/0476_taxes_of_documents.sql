-- What tax an invoice states, as it was on issuing: none, tax that the prices include, or a margin scheme, under which no tax may be shown.
alter table billing_documents
  add column tax_scheme text not null default 'none',
  -- net, tax and gross for each rate
  add column taxes jsonb not null default '[]';

-- Rounded once for each rate, half away from zero, so that a credit note is its invoice with the other sign.
create function taxes_agree(taxes jsonb, total bigint) returns boolean language sql immutable parallel safe
return (
  select coalesce(sum(gross), 0) = total and coalesce(bool_and(coalesce(
    rate between 0 and 10000 and net + tax = gross and tax = round(gross::numeric * rate / (10000 + rate)), false)), true)
  from jsonb_array_elements(taxes) one, lateral (
    select (one ->> 'rateBp')::int as rate, (one ->> 'netMinor')::bigint as net, (one ->> 'taxMinor')::bigint as tax, (one ->> 'grossMinor')::bigint as gross
  ) amounts
);

alter table billing_documents
  add constraint billing_documents_tax_scheme_known check (tax_scheme in ('none', 'included', 'margin')),
  add constraint billing_documents_taxes_sum check (case tax_scheme when 'included' then taxes_agree(taxes, total_minor) else taxes = '[]'::jsonb end),
  -- paying owes no tax of its own: the invoice states it
  add constraint billing_documents_receipt_untaxed check (kind <> 'receipt' or tax_scheme = 'none');

create function mirror_taxes() returns trigger language plpgsql as $$
begin
  if not exists (select from billing_documents d where d.org_id = new.org_id and d.id = new.cancels_id and d.tax_scheme = new.tax_scheme
    and new.taxes = (select coalesce(jsonb_agg(one || jsonb_build_object('netMinor', -(one ->> 'netMinor')::bigint,
      'taxMinor', -(one ->> 'taxMinor')::bigint, 'grossMinor', -(one ->> 'grossMinor')::bigint) order by place), '[]')
      from jsonb_array_elements(d.taxes) with ordinality as each (one, place))) then
    raise exception 'A credit note mirrors the tax of its invoice.' using errcode = 'check_violation',
      constraint = 'billing_documents_mirrors_invoice', table = 'billing_documents';
  end if;
  return new;
end $$;
create trigger mirror_taxes before insert on billing_documents for each row when (new.kind = 'credit_note') execute function mirror_taxes();
