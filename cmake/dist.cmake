# Packages: `cpack` in the build folder, or `make dist`, writes clearway_VERSION_ARCH.deb.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME clearway)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "Clearway contributors")
set(CPACK_PACKAGE_CONTACT "Clearway contributors <maintainers@clearway.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "sort, partition and permute on GPUs; count bank conflicts")
set(CPACK_PACKAGE_DESCRIPTION
    "A C library, its headers and the command clearway. It sorts, partitions and
permutes arrays on NVIDIA GPUs and on the host, and counts bank conflicts
on an emulated GPU.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
# The loader must learn of the new library, which CPack's own scripts see to.
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
