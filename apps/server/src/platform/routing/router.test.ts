import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { osrmWay, type TestRouter, testRouter, valhallaWay } from '../../../testing/routers.ts'
import { isPublicAddress } from '../http/outside-request.ts'
import { askWays } from './ask-ways.ts'
import { askRouter, type RouterQuestion, StrangeAnswer } from './router.ts'
import { tryRouter } from './try-router.ts'

let server: TestRouter
beforeAll(async () => {
  server = await testRouter()
})
afterAll(() => server.close())

const geysir = { lat: 64.3104, lng: -20.3014 }
const gullfoss = { lat: 64.3271, lng: -20.1199 }
const drive: RouterQuestion = { from: geysir, to: gullfoss, mode: 'drive' }
const osrm = () => ({ kind: 'osrm' as const, address: server.address })
const valhalla = () => ({ kind: 'valhalla' as const, address: `${server.address}valhalla` })
const trusting = () => ({ trustedHosts: [server.host] })

test('OSRM is asked for the route by car, longitude first', async () => {
  server.answer({ body: osrmWay(612.4, 10_040) })
  expect(await askRouter(osrm(), drive, trusting())).toEqual({ seconds: 612.4, meters: 10_040 })
  expect(server.asked.at(-1)).toEqual({
    path: '/route/v1/driving/-20.301400,64.310400;-20.119900,64.327100?overview=false',
    body: null,
  })
  const before = server.asked.length
  // one server of OSRM knows cars or walkers, and does not say which
  expect(await askRouter(osrm(), { ...drive, mode: 'walk' }, trusting())).toBeNull()
  expect(server.asked.length).toBe(before)
})

test('Valhalla is asked below its address, for cars and for walkers', async () => {
  server.answer({ body: valhallaWay(590, 9_980) })
  expect(await askRouter(valhalla(), drive, trusting())).toEqual({ seconds: 590, meters: 9_980 })
  await askRouter(valhalla(), { ...drive, mode: 'walk' }, trusting())
  expect(server.asked.slice(-2)).toMatchObject([
    {
      path: '/valhalla/route',
      body: { costing: 'auto', locations: [{ lat: 64.3104, lon: -20.3014 }, { lat: 64.3271 }] },
    },
    { body: { costing: 'pedestrian' } },
  ])
})

test('where there is no road the answer is none, and the router has answered', async () => {
  server.answer({ status: 400, body: { code: 'NoRoute', message: 'Impossible route between points' } })
  expect(await askRouter(osrm(), drive, trusting())).toBeNull()
  for (const [error_code, error] of [
    [442, 'No path could be found for input'],
    [154, 'Path distance exceeds the max distance limit: 5000000 meters'],
  ]) {
    server.answer({ status: 400, body: { error_code, error, status_code: 400 } })
    expect(await askRouter(valhalla(), drive, trusting())).toBeNull()
  }
})

test('what is no router, what does not end and what sends us elsewhere is an error', async () => {
  server.answer({ body: '<html>Welcome</html>' })
  await expect(askRouter(osrm(), drive, trusting())).rejects.toThrow(StrangeAnswer)
  server.answer({ body: { trip: null } })
  await expect(askRouter(valhalla(), drive, trusting())).rejects.toThrow(StrangeAnswer)
  server.answer({ body: osrmWay(-1, Number.NaN) })
  await expect(askRouter(osrm(), drive, trusting())).rejects.toThrow(StrangeAnswer)
  server.answer({ body: 'x'.repeat(300_000) })
  await expect(askRouter(osrm(), drive, trusting())).rejects.toMatchObject({ fault: 'too_long' })
  server.answer({ status: 302, body: '', headers: { location: 'http://169.254.169.254/latest/meta-data/' } })
  await expect(askRouter(osrm(), drive, trusting())).rejects.toThrow(StrangeAnswer)
  server.answer(null)
  await expect(askRouter(osrm(), drive, trusting())).rejects.toMatchObject({ fault: 'silent' })
})

test('a connection that the router has closed meanwhile is no failure of the router', async () => {
  const used = new WeakSet<Socket>()
  const forgetful = http.createServer((request, response) => {
    if (used.has(request.socket)) return void request.socket.resetAndDestroy()
    used.add(request.socket)
    response.end(JSON.stringify(osrmWay(60, 1000)))
  })
  await new Promise<void>((listening) => forgetful.listen(0, '127.0.0.1', listening))
  const host = `127.0.0.1:${(forgetful.address() as AddressInfo).port}`
  const ask = () => askRouter({ kind: 'osrm', address: `http://${host}/` }, drive, { trustedHosts: [host] })
  try {
    expect(await ask()).toEqual({ seconds: 60, meters: 1000 })
    expect(await ask()).toEqual({ seconds: 60, meters: 1000 })
  } finally {
    forgetful.closeAllConnections()
    await new Promise<void>((closed) => forgetful.close(() => closed()))
  }
})

test('a router that hangs is waited for until a deadline, and what it said before counts', async () => {
  const over = new AbortController()
  let asked = 0
  const slow = http.createServer((_request, response) => {
    asked += 1
    if (asked === 1) response.end(JSON.stringify(osrmWay(60, 1000)))
    // the four that are asked at once after it
    if (asked === 5) over.abort()
  })
  await new Promise<void>((listening) => slow.listen(0, '127.0.0.1', listening))
  const host = `127.0.0.1:${(slow.address() as AddressInfo).port}`
  const router = { kind: 'osrm' as const, address: `http://${host}/` }
  const signal = new AbortController().signal
  try {
    const asking = { trustedHosts: [host], signal, deadline: over.signal }
    const nine = Array.from({ length: 9 }, () => drive)
    const { answers, failure } = await askWays(router, nine, asking)
    expect(answers).toEqual([{ question: drive, way: { seconds: 60, meters: 1000 } }])
    expect(failure).not.toBeNull()
    expect(asked).toBe(5)
    const left = AbortSignal.abort(new Error('the browser has gone'))
    await expect(askWays(router, [drive], { trustedHosts: [host], signal: left })).rejects.toThrow('the browser')
  } finally {
    slow.closeAllConnections()
    await new Promise<void>((closed) => slow.close(() => closed()))
  }
})

test('nothing in the network of the server is asked, by address or by name, unless the installation trusts it', async () => {
  server.answer({ body: osrmWay(1, 1) })
  const before = server.asked.length
  const { port } = new URL(server.address)
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `[::ffff:7f00:1]:${port}`]) {
    await expect(
      askRouter({ kind: 'osrm', address: `http://${host}/` }, drive, { trustedHosts: [] }),
      host,
    ).rejects.toMatchObject({ fault: 'private' })
  }
  expect(server.asked.length).toBe(before)
  await askRouter({ kind: 'osrm', address: `http://localhost:${port}` }, drive, { trustedHosts: ['localhost'] })
  expect(server.asked.length).toBe(before + 1)
})

test('public internet addresses are distinguished from all others', () => {
  for (const address of ['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111']) {
    expect(isPublicAddress(address), address).toBe(true)
  }
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.2',
    '169.254.169.254',
    '192.168.1.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fd00::1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    'ff02::1',
    'no address',
  ]) {
    expect(isPublicAddress(address), address).toBe(false)
  }
})

test('a new address is tried, and what is wrong with it is reported at its field', async () => {
  const signal = new AbortController().signal
  const trial = { near: geysir, trustedHosts: [server.host] }
  server.answer({ status: 400, body: { code: 'NoSegment', message: 'no' } })
  await tryRouter({ ...trial, router: osrm() }, signal)
  const issueOf = async (router: { kind: 'osrm' | 'valhalla'; address: string }, trustedHosts = trial.trustedHosts) =>
    tryRouter({ ...trial, trustedHosts, router }, signal).then(
      () => null,
      (error: { code: string; details: { fieldIssues: Record<string, unknown> } }) => [
        error.code,
        error.details.fieldIssues['settings.routing.address'],
      ],
    )
  expect(await issueOf(valhalla())).toEqual([
    'invalid-argument',
    [{ code: 'router_strange', params: { host: server.host } }],
  ])
  expect(await issueOf(osrm(), [])).toEqual([
    'invalid-argument',
    [{ code: 'router_private', params: { host: server.host } }],
  ])
  server.answer(null)
  expect(await issueOf(osrm())).toEqual([
    'invalid-argument',
    [{ code: 'router_silent', params: { host: server.host } }],
  ])
  expect(await issueOf({ kind: 'osrm', address: 'http://osrm:99999/' })).toEqual([
    'invalid-argument',
    [{ code: 'router_address_form' }],
  ])
})
