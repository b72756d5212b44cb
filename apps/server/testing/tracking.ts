import { addDevice, pairDevice, redeemPairing } from '@tour-ops/contract/tracking/devices'
import { sql } from 'kysely'
import { trackingVerbs } from '../src/features/tracking/verbs.ts'
import type { Clock } from '../src/platform/clock.ts'
import { newId } from '../src/platform/ids.ts'
import { execute } from '../src/platform/verb.ts'
import { verbsOf } from './verbs.ts'
import { requestMeta, type TestCaller, type TestWorld } from './world.ts'

const verbOf = verbsOf(trackingVerbs)

/** Somebody of the field staff. @returns The id. */
export async function insertGuide(office: TestCaller): Promise<string> {
  const id = newId()
  await office.transaction((tx) =>
    sql`insert into field_staff (org_id, id, code, first_name, last_name) values (${office.orgId}, ${id}, ${id}, 'Ada', 'Byron')`.execute(
      tx,
    ),
  )
  return id
}

export interface PairedDevice {
  readonly id: string
  readonly version: number
  readonly token: string
}

/** A phone that has redeemed its code. */
export async function addDevicePaired(
  { world, office, clock }: { world: TestWorld; office: TestCaller; clock: Clock },
  subject: { staffId: string } | { vehicleId: string },
): Promise<PairedDevice> {
  const { id } = await office.call(verbOf(addDevice), { label: 'Phone', ...subject })
  const { code, version } = await office.call(verbOf(pairDevice), { id })
  const services = { ...world.services, clock }
  const { token } = await execute(services, requestMeta(), null, verbOf(redeemPairing), { code })
  return { id, version: version + 1, token }
}
