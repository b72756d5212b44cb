import type pg from 'pg'
import { pino } from 'pino'
import { connectDatabase } from '../src/platform/db/database.ts'
import { startLiveTestServer } from './listen.ts'
import { openLive } from '../src/platform/live/live.ts'

// One more server process for the test of several: started as a program, it prints its address and serves until it is killed.

const config = JSON.parse(process.env['LIVE_DATABASE'] ?? '{}') as pg.ClientConfig
const log = pino({ level: 'silent' })
const db = connectDatabase('url', { application: config, owner: config }, log, async () => undefined)
const server = await startLiveTestServer(await openLive({ db, log }))
process.send?.(server.url)
