//! What the derive says about each mistake. `TRYBUILD=overwrite cargo test -p geode-derive --test ui` writes the
//! expectations anew; read the difference before committing it.

#[test]
fn every_mistake_is_explained() {
    trybuild::TestCases::new().compile_fail("tests/ui/*/*.rs");
}
