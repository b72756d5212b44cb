import fs from 'node:fs'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import * as demo from '../seed/demo.ts'
import * as moving from '../seed/moving-demo.ts'
import { readConfig } from '../src/config.ts'
import { startServer } from '../src/server.ts'
import { newId } from '../src/platform/ids.ts'
import { foundOrganization } from '../testing/accounts.ts'
import { newDataFolder } from '../testing/programs.ts'

// The server as `npm start` composes it: what runs beside its callers.

const folder = newDataFolder('assembled')
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const configOf = (env: Record<string, string>) =>
  readConfig({ DATA_DIR: path.join(folder, 'data'), WEB_DIST: folder, EMBEDDED_ENGINE: 'pglite', PORT: '0', ...env })
const start = (env: Record<string, string>) => startServer(configOf(env), pino({ level: 'silent' }))

/** The demo's seed takes a while and is tested by itself; here it counts whether it is asked for. */
function watchDemo() {
  const seed = vi.spyOn(demo, 'seedDemo').mockResolvedValue()
  const move = vi.spyOn(moving, 'startMovingDemo').mockResolvedValue(async () => undefined)
  const restore = () => [seed, move].forEach((spy) => spy.mockRestore())
  return { seed, move, restore }
}

test('without the demo nothing is simulated, and the night makes days of positions and drops old ones', async () => {
  const { seed, move, restore } = watchDemo()
  const server = await start({ DEMO: 'off', DEMO_MOVES: 'on' })
  try {
    expect(seed).not.toHaveBeenCalled()
    expect(move).not.toHaveBeenCalled()
    const { db, clock, jobs } = server.services
    const { ownerPool, pool } = db
    const orgId = await foundOrganization(ownerPool)
    const { rows: schedules } = await ownerPool.query<{ name: string; cron: string }>(
      `select name, cron from jobs.schedule where name = 'nightly'`,
    )
    expect(schedules).toEqual([{ name: 'nightly', cron: '17 3 * * *' }])
    const isThere = async (day: string) => {
      const { rows } = await ownerPool.query<{ found: boolean }>(
        `select to_regclass('positions_' || to_char(${day}, 'YYYYMMDD')) is not null as found`,
      )
      return rows[0]?.found
    }
    const [tomorrow, old] = ['current_date + 1', `date '2019-05-02'`]
    await pool.query(`select ensure_position_days('2019-05-02', '2019-05-02')`)
    await pool.query('select drop_position_days(current_date + 2)')
    await pool.query(`select ensure_position_days('2019-05-02', '2019-05-02')`)
    expect([await isThere(tomorrow), await isThere(old)]).toEqual([false, true])
    const asked = { orgId, actor: { kind: 'system', id: null }, action: 'test', requestId: newId(), clock } as const
    await db.transaction(asked, (tx) => jobs.enqueue(tx, 'nightly', {}))
    await expect
      .poll(async () => [await isThere(tomorrow), await isThere(old)], { timeout: 60_000 })
      .toEqual([true, false])
    const { rows: devices } = await ownerPool.query('select from devices')
    expect(devices).toEqual([])
  } finally {
    await server.close()
    restore()
  }
}, 180_000)

test('the demo moves where it is asked to, and with DEMO_MOVES=off it stays as it was seeded', async () => {
  const { seed, move, restore } = watchDemo()
  try {
    const data = { DATA_DIR: path.join(folder, 'demo'), DEMO: 'on' }
    await (await start({ ...data, DEMO_MOVES: 'off' })).close()
    expect(seed).toHaveBeenLastCalledWith(expect.anything(), false)
    expect(move).not.toHaveBeenCalled()
    await (await start({ ...data, DEMO_MOVES: 'on' })).close()
    expect(seed).toHaveBeenLastCalledWith(expect.anything(), true)
    expect(move).toHaveBeenCalledOnce()
  } finally {
    restore()
  }
}, 180_000)
