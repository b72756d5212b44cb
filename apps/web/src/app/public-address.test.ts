import { afterEach, expect, test, vi } from 'vitest'
import { publicAddressOf, setPublicOrigin } from './public-address.ts'

afterEach(() => {
  setPublicOrigin(null)
  vi.unstubAllGlobals()
})

test('a copied address is the public one, whatever address the office uses', () => {
  vi.stubGlobal('location', { origin: 'http://10.0.0.5:8080' })
  expect(publicAddressOf('/share/abc')).toBe('http://10.0.0.5:8080/share/abc')
  setPublicOrigin('https://tours.example.com')
  expect(publicAddressOf('/share/abc')).toBe('https://tours.example.com/share/abc')
})
