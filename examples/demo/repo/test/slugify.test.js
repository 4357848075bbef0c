import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slugify_title } from '../src/slugify.js';
import '../tools/count-runs.js';

test('words are joined with hyphens', () => {
  assert.equal(slugify_title('Hello, World!'), 'hello-world');
});

test('a title without words gives an empty slug', () => {
  assert.equal(slugify_title(' ... '), '');
});
