import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress, isPrivateAddress } from './client-address.ts'

const from = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as IncomingMessage

test('without proxies only the socket address is trusted', () => {
  expect(clientAddress(from('::ffff:192.0.2.7', '6.6.6.6'), 0)).toBe('192.0.2.7')
  expect(clientAddress(from('2001:db8::1'), 0)).toBe('2001:db8::1')
})

test('behind proxies it is what the outermost trusted one wrote', () => {
  const request = from('10.0.0.2', '6.6.6.6, 203.0.113.9:4711, 10.0.0.1')
  expect(clientAddress(request, 1)).toBe('10.0.0.1')
  expect(clientAddress(request, 2)).toBe('203.0.113.9')
  expect(clientAddress(from('10.0.0.2'), 1)).toBe('10.0.0.2')
  expect(clientAddress(from('10.0.0.2', '<script>'), 1)).toBe('10.0.0.2')
})

test('private networks are distinguished from the rest', () => {
  for (const address of ['127.0.0.1', '::1', '10.1.2.3', '192.168.0.9', '172.16.0.1', 'fd00::1']) {
    expect(isPrivateAddress(address)).toBe(true)
  }
  for (const address of ['8.8.8.8', '172.32.0.1', '2001:db8::1', null]) expect(isPrivateAddress(address)).toBe(false)
})
